package bench_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/firestore/apiv1/firestorepb"

	"hippocampus/emulator/internal/literal"
)

// small is a document as it is written and read here.
var small = map[string]any{"name": "San Francisco", "population": 870_000, "capital": false, "text": strings.Repeat("text ", 40)}

// fields are small's.
var fields = map[string]*firestorepb.Value{
	"name":       literal.Str(small["name"].(string)),
	"population": literal.Int(int64(small["population"].(int))),
	"capital":    literal.Bool(false),
	"text":       literal.Str(small["text"].(string)),
}

const keys = 1000

func key(n int) string { return fmt.Sprintf("cities/%04d", n%keys) }

func BenchmarkWrites(b *testing.B) {
	compare(b, program{
		clients: 16, canned: true,
		prepare: func(context.Context, *server) error { return nil },
		once: func(ctx context.Context, s *server, _, n int) error {
			_, err := s.client.Doc(key(n)).Set(ctx, small)
			return err
		},
	})
}

func BenchmarkReads(b *testing.B) {
	compare(b, program{
		clients: 16, canned: true,
		prepare: func(ctx context.Context, s *server) error { return fill(ctx, s.client, "cities", keys) },
		once: func(ctx context.Context, s *server, _, n int) error {
			_, err := s.client.Doc(key(n)).Get(ctx)
			return err
		},
	})
}

// fill writes numbered documents.
func fill(ctx context.Context, c *firestore.Client, collection string, n int) error {
	w := c.BulkWriter(ctx)
	jobs := make([]*firestore.BulkWriterJob, 0, n)
	for i := range n {
		doc := maps.Clone(small)
		doc["n"] = i
		job, err := w.Set(c.Doc(fmt.Sprintf("%s/%04d", collection, i)), doc)
		if err != nil {
			return err
		}
		jobs = append(jobs, job)
	}
	w.End()
	for _, job := range jobs {
		if _, err := job.Results(); err != nil {
			return err
		}
	}
	return nil
}

// many is how many documents the queries are about.
const many = 5000

// queries runs one client's queries of many documents, which each find a number of them.
func queries(b *testing.B, find int, q func(*firestore.CollectionRef, int) firestore.Query) {
	compare(b, program{
		clients: 1, canned: find == many,
		prepare: func(ctx context.Context, s *server) error { return fill(ctx, s.client, "many", many) },
		once: func(ctx context.Context, s *server, _, n int) error {
			docs, err := q(s.client.Collection("many"), n).Documents(ctx).GetAll()
			if err == nil && len(docs) != find {
				err = fmt.Errorf("%d documents were found, not %d", len(docs), find)
			}
			return err
		},
	})
}

func BenchmarkNamesOf5000(b *testing.B) {
	queries(b, many, func(c *firestore.CollectionRef, _ int) firestore.Query { return c.Select() })
}

func BenchmarkQueryOf5000(b *testing.B) {
	queries(b, many, func(c *firestore.CollectionRef, _ int) firestore.Query { return c.Query })
}

func BenchmarkRangeOf50(b *testing.B) {
	queries(b, 50, func(c *firestore.CollectionRef, n int) firestore.Query {
		return c.Where("n", ">=", n*97%(many-50)).OrderBy("n", firestore.Asc).Limit(50)
	})
}

func BenchmarkCountOf5000(b *testing.B) {
	compare(b, program{
		clients: 1,
		prepare: func(ctx context.Context, s *server) error { return fill(ctx, s.client, "many", many) },
		once: func(ctx context.Context, s *server, _, _ int) error {
			result, err := s.client.Collection("many").NewAggregationQuery().WithCount("all").Get(ctx)
			if err != nil {
				return err
			}
			if n := result["all"].(*firestorepb.Value).GetIntegerValue(); n != many {
				return fmt.Errorf("the count is %d", n)
			}
			return nil
		},
	})
}

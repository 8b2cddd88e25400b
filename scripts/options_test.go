package scripts_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var optionCase = regexp.MustCompile(`^ +(--[a-z-]+)\)`)

func TestHelp(t *testing.T) {
	c := newCloud(t)
	help := c.deploy("--help")
	require.Zero(t, help.code)
	script, err := os.ReadFile("deploy")
	require.NoError(t, err)
	options := 0
	for line := range strings.Lines(string(script)) {
		if option := optionCase.FindStringSubmatch(line); option != nil {
			options++
			require.Contains(t, help.out, "\n  "+option[1]+" ")
		}
	}
	require.Equal(t, 11, options)
	require.Empty(t, c.calls())
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		name string
		args string // separated by |
		says string
	}{
		{"nothing", "", "--project is required"},
		{"no value", "--project", "--project needs a value"},
		{"empty value", "--project=", "--project is empty"},
		{"unknown option", "--project=my-project|--force=1", "no option '--force'"},
		{"unknown switch", "--project=my-project|--force", "--force needs a value, or is no option"},
		{"an argument", "my-project", "unexpected argument 'my-project'"},
		{"a project's number", "--project=123456789", "--project is a project id"},
		{"code for a project", "--project=$(touch x)", "--project is a project id"},
		{"a database's path", "--project=my-project|--database=projects/p/databases/d", "--database is a database id"},
		{"location", "--project=my-project|--location=Europe", "--location is a Firestore location"},
		{"a multi-region without a known region", "--project=my-project|--location=nam7", "choose one for the functions with --region"},
		{"a multi-region for functions", "--project=my-project|--region=nam5", "--region is a region"},
		{"ids", "--project=my-project|--ids=hex", "--ids is base64url or plain"},
		{"a path for a date field", "--project=my-project|--date-field=meta.at", "--date-field is one field name"},
		{"a list for a date field", "--project=my-project|--date-field=a,b=c", "--date-field is one field name"},
		{"four fields of cron", "--project=my-project|--schedule=0 3 * *", "--schedule has the five fields"},
		{"time zone", "--project=my-project|--time-zone=Europe Berlin", "--time-zone is a name"},
		{"prefix", "--project=my-project|--prefix=Hippo", "--prefix has 2 to 20"},
		{"a document's path", "--project=my-project|--memories=tenants/{t}", "an odd number of segments"},
		{"a slash before", "--project=my-project|--memories=/notes", "empty segment"},
		{"a slash behind", "--project=my-project|--memories=notes/", "empty segment"},
		{"a wildcard collection", "--project=my-project|--memories={x}/{t}/memories", "in place of a collection"},
		{"a wildcard of many segments", "--project=my-project|--memories=a/{t=**}/memories", "a whole segment such as {tenant}"},
		{"half a wildcard", "--project=my-project|--memories=a/x{t}/memories", "a whole segment such as {tenant}"},
		{"a name twice", "--project=my-project|--memories=a/{t}/b/{t}/memories", "names {t} twice"},
		{"the memory's wildcard", "--project=my-project|--memories=a/{memory}/b", "names {memory} twice"},
		{"a comma", "--project=my-project|--memories=a,b", "--memories is made of letters"},
		{"a line break", "--project=my-project|--memories=a\nb", "--memories is made of letters"},
		{"reserved", "--project=my-project|--memories=__a__", "Firestore reserves"},
		{"the index", "--project=my-project|--memories=hippocampus/v1/notes", "would index the index itself"},
		{"the shards", "--project=my-project|--memories=a/{t}/memory_shards", "would index the index itself"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cloud := newCloud(t)
			var args []string
			if c.args != "" {
				args = strings.Split(c.args, "|")
			}
			for _, args := range [][]string{args, append([]string{"--dry-run"}, args...)} {
				bad := cloud.deploy(args...)
				require.Equal(t, 2, bad.code, bad.errors)
				require.Contains(t, bad.errors, "scripts/deploy: ")
				require.Contains(t, bad.errors, c.says)
				require.Contains(t, bad.errors, "Usage: scripts/deploy")
				require.Empty(t, bad.out)
			}
			require.Empty(t, cloud.calls(), "bad input must be found before anything is done")
		})
	}
}

func TestTools(t *testing.T) {
	bare := t.TempDir() // the tools that any system has, and no gcloud
	for _, tool := range []string{"bash", "cat", "dirname"} {
		path, err := exec.LookPath(tool)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(bare, tool)))
	}
	missing := runWith(t, bare, "", "./deploy", "--project=my-project")
	require.Equal(t, 1, missing.code)
	require.Contains(t, missing.errors, "gcloud is missing: install the Google Cloud CLI")
	require.Zero(t, runWith(t, bare, "", "./deploy", "--project=my-project", "--dry-run").code)

	for version, says := range map[string]string{
		"Google Cloud SDK 449.0.0": "gcloud 449 is too old",
		"gcloud of another maker":  "gcloud does not say its version",
	} {
		c := newCloud(t, answer{"'gcloud version'", "echo '" + version + "'"})
		old := c.deploy("--project=my-project")
		require.Equal(t, 1, old.code)
		require.Contains(t, old.errors, says)
		require.Len(t, c.calls(), 1)
	}
}

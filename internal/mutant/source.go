package mutant

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// activePath is where the package stands that says which fault a process has. It is in overlays
// only.
const activePath = "internal/mutant/active"

const activeSource = `// Package active says which fault this process has.
package active

import "os"

var Mutant = os.Getenv("` + Variable + `")
`

// sources returns the files that mutants patch, with all their faults in them, by absolute name.
func sources(t testing.TB, module, root string, mutants []Mutant) map[string]string {
	t.Helper()
	files := map[string]*file{}
	names := map[string]bool{}
	for _, m := range mutants {
		require.False(t, names[m.Name] || m.Name == "", "two mutants are called %q", m.Name)
		names[m.Name] = true
		patched := map[string]string{}
		for _, p := range m.Patches {
			file, old, replacement := p[0], p[1], p[2]
			name, err := filepath.Abs(filepath.Join(root, file))
			require.NoError(t, err)
			if files[name] == nil {
				source, err := os.ReadFile(name)
				require.NoError(t, err)
				files[name] = newFile(t, module, name, string(source))
			}
			if patched[name] == "" {
				patched[name] = files[name].sound.source
			}
			require.Equal(t, 1, strings.Count(patched[name], old),
				"%s: its text must be in %s once; has the code moved?\n%s", m.Name, file, old)
			patched[name] = strings.Replace(patched[name], old, replacement, 1)
		}
		for name, source := range patched {
			files[name].add(t, m.Name, source)
		}
	}
	all := make(map[string]string, len(files))
	for name, f := range files {
		all[name] = f.withFaults()
	}
	return all
}

// parsed is a source and its top-level declarations.
type parsed struct {
	source  string
	clause  int                      // where its package clause ends
	imports []string                 // as they are written
	funcs   map[string]*ast.FuncDecl // by receiver and name
	others  string                   // the text of all other declarations
}

func parse(t testing.TB, name, source string) *parsed {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	require.NoError(t, err)
	p := &parsed{source: source, clause: int(tree.Name.End()) - 1,
		funcs: map[string]*ast.FuncDecl{}}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			key := d.Name.Name
			if d.Recv != nil {
				key = p.text(d.Recv) + key
			}
			p.funcs[key] = d
		case *ast.GenDecl:
			if d.Tok != token.IMPORT {
				p.others += p.text(d) + "\n"
				continue
			}
			for _, s := range d.Specs {
				p.imports = append(p.imports, p.text(s))
			}
		}
	}
	return p
}

// text is a node as it stands in the source, whose first byte is at position 1.
func (p *parsed) text(n ast.Node) string { return p.source[n.Pos()-1 : n.End()-1] }

// file is a source whose functions have faults.
type file struct {
	module string // its path
	name   string
	sound  *parsed
	faulty map[string][]variant // by the function's key
	needs  map[string]bool      // imports that faults need
}

// variant is a function with the fault of a mutant.
type variant struct {
	mutant string
	decl   *ast.FuncDecl
	of     *parsed
}

func newFile(t testing.TB, module, name, source string) *file {
	return &file{module: module, name: name, sound: parse(t, name, source),
		faulty: map[string][]variant{}, needs: map[string]bool{}}
}

// add takes in the functions in which a patched source differs.
func (f *file) add(t testing.TB, mutant, source string) {
	t.Helper()
	p := parse(t, f.name, source)
	require.Equal(t, f.sound.others, p.others,
		"%s: a fault must lie in functions, as it is chosen when they run", mutant)
	require.Equal(t, slices.Sorted(maps.Keys(f.sound.funcs)), slices.Sorted(maps.Keys(p.funcs)),
		"%s: it adds or removes a function of %s", mutant, f.name)
	for key, d := range p.funcs {
		if p.text(d) != f.sound.text(f.sound.funcs[key]) {
			f.faulty[key] = append(f.faulty[key], variant{mutant, d, p})
		}
	}
	for _, i := range p.imports {
		if !slices.Contains(f.sound.imports, i) {
			f.needs[i] = true
		}
	}
}

// withFaults returns the source in which each function with faults is several.
func (f *file) withFaults() string {
	var added, replaced strings.Builder
	added.WriteString("; import active__ \"" + f.module + "/" + activePath + "\"")
	for _, i := range slices.Sorted(maps.Keys(f.needs)) {
		added.WriteString("; import " + i)
	}
	replaced.WriteString(f.sound.source[:f.sound.clause] + added.String())
	at := f.sound.clause
	inOrder := slices.SortedFunc(maps.Keys(f.faulty), func(a, b string) int { return int(f.sound.funcs[a].Pos() - f.sound.funcs[b].Pos()) })
	for _, key := range inOrder {
		d := f.sound.funcs[key]
		replaced.WriteString(f.sound.source[at:d.Pos()-1] + f.sound.chooser(d,
			f.faulty[key]) + f.sound.renamed(d, "sound"))
		for i, v := range f.faulty[key] {
			replaced.WriteString("\n\n" + v.of.renamed(v.decl, strconv.Itoa(i)))
		}
		at = int(d.End()) - 1
	}
	replaced.WriteString(f.sound.source[at:])
	return replaced.String()
}

// renamed returns a function under the name that one of several has.
func (p *parsed) renamed(d *ast.FuncDecl, suffix string) string {
	name := d.Name.End() - 1
	return p.source[d.Pos()-1:name] + "__" + suffix + p.source[name:d.End()-1]
}

// chooser returns the function that calls one of several.
func (p *parsed) chooser(d *ast.FuncDecl, variants []variant) string {
	var b strings.Builder
	b.WriteString("func ")
	called := d.Name.Name
	if d.Recv != nil {
		b.WriteString("(r__ " + p.text(d.Recv.List[0].Type) + ") ")
		called = "r__." + called
	}
	b.WriteString(d.Name.Name)
	if d.Type.TypeParams != nil {
		b.WriteString(p.text(d.Type.TypeParams))
	}
	params, args := p.params(d.Type.Params)
	b.WriteString("(" + params + ") ")
	returns := ""
	if results := d.Type.Results; results != nil {
		returns = "return "
		b.WriteString("(" + p.types(results) + ") ")
	}
	b.WriteString("{\n\tswitch active__.Mutant {\n")
	for i, v := range variants {
		call := fmt.Sprintf("%s__%d(%s)", called, i, args)
		if returns == "" {
			call += "\n\t\treturn"
		}
		fmt.Fprintf(&b, "\tcase %q:\n\t\t%s%s\n", v.mutant, returns, call)
	}
	fmt.Fprintf(&b, "\t}\n\t%s%s__sound(%s)\n}\n\n", returns, called, args)
	return b.String()
}

// params returns parameters under names of our own, and these as arguments.
func (p *parsed) params(list *ast.FieldList) (params, args string) {
	var all, names []string
	for _, f := range list.List {
		for range max(1, len(f.Names)) {
			name := fmt.Sprintf("p%d__", len(all))
			all = append(all, name+" "+p.text(f.Type))
			if _, variadic := f.Type.(*ast.Ellipsis); variadic {
				name += "..."
			}
			names = append(names, name)
		}
	}
	return strings.Join(all, ", "), strings.Join(names, ", ")
}

// types returns the types of results without their names.
func (p *parsed) types(list *ast.FieldList) string {
	var all []string
	for _, f := range list.List {
		for range max(1, len(f.Names)) {
			all = append(all, p.text(f.Type))
		}
	}
	return strings.Join(all, ", ")
}

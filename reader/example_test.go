package reader_test

import (
	"fmt"

	"hippocampus/index"
	"hippocampus/reader"
)

func ExampleList_Text() {
	// As Reader.List returns it.
	list := &reader.List{Entries: []index.Entry{
		{Name: "pages/Second Location"},
		{Name: "sources/Mail of 3 May\nSubject: rent"},
		{Name: "pages/Opening hours"},
		{Name: "pages/Price list"},
		{Name: "a loose thought"},
	}}
	fmt.Print(list.Text([]reader.Section{
		{Title: "Pages", Prefix: "pages/", Cap: 2},
		{Title: "Sources", Prefix: "sources/", Cap: 40},
	}))
	// Output:
	// ## Pages
	// - pages/Second Location
	// - pages/Opening hours
	// … and 1 more
	//
	// ## Sources
	// - sources/Mail of 3 May\u{a}Subject: rent
	//
	// (1 more memory is in no section)
}

func ExampleUnescape() {
	// What a model writes to open a memory that it was shown.
	name, err := reader.Unescape(`sources/Mail of 3 May\u{a}Subject: rent`)
	fmt.Printf("%q %v\n", name, err)
	// Output: "sources/Mail of 3 May\nSubject: rent" <nil>
}

package limit

// withoutComments returns JSON with its comments, // to the end of the line and /* to */, made
// spaces, so that positions in errors stay right.
func withoutComments(data []byte) []byte {
	out := append([]byte(nil), data...)
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			i = endOfString(out, i)
		case out[i] == '/' && i+1 < len(out) && out[i+1] == '/':
			for i < len(out) && out[i] != '\n' {
				out[i] = ' '
				i++
			}
		case out[i] == '/' && i+1 < len(out) && out[i+1] == '*':
			i = blankBlock(out, i)
		}
	}
	return out
}

// endOfString returns the position of the quote that ends the string that begins at i.
func endOfString(data []byte, i int) int {
	for i++; i < len(data) && data[i] != '"'; i++ {
		if data[i] == '\\' {
			i++
		}
	}
	return i
}

// blankBlock makes the comment that begins at i spaces and returns the position of its end.
func blankBlock(data []byte, i int) int {
	data[i], data[i+1] = ' ', ' '
	for i += 2; i < len(data); i++ {
		end := data[i] == '*' && i+1 < len(data) && data[i+1] == '/'
		if data[i] != '\n' {
			data[i] = ' '
		}
		if end {
			data[i+1] = ' '
			return i + 1
		}
	}
	return i
}

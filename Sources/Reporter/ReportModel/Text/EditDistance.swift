/// How many letters to insert, remove, change or swap: Damerau and Levenshtein's restricted distance.
package func changes(from word: String, to other: String) -> Int {
  let (left, right) = (Array(word.prefix(50)), Array(other.prefix(50)))
  var rows = [Array(0...right.count)]
  for (index, letter) in left.enumerated() {
    var row = [index + 1]
    for (place, wanted) in right.enumerated() {
      var fewest = min(rows[index][place + 1], row[place]) + 1
      fewest = min(fewest, rows[index][place] + (letter == wanted ? 0 : 1))
      if index > 0, place > 0, letter == right[place - 1], left[index - 1] == wanted {
        fewest = min(fewest, rows[index - 1][place - 1] + 1)
      }
      row.append(fewest)
    }
    rows.append(row)
  }
  return rows[left.count][right.count]
}

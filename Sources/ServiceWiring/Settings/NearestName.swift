/// Suggests the intended name for a misspelt one.
package enum NearestName {
    /// Returns `. Did you mean …?`, or an empty text if no name is close.
    package static func hint(_ misspelt: String, among names: [String]) -> String {
        let nearest = names.map { (name: $0, distance: distance(misspelt.lowercased(), $0.lowercased())) }
            .min { $0.distance < $1.distance }
        // A beginning that all names share tells nothing.
        guard let nearest,
            nearest.distance <= max(2, (misspelt.count - misspelt.commonPrefix(with: nearest.name).count) / 3)
        else { return "" }
        return ". Did you mean \(nearest.name)?"
    }

    /// Returns the number of characters to add, remove or change (Levenshtein distance).
    private static func distance(_ left: String, _ right: String) -> Int {
        var row = Array(0...right.count)
        for (line, character) in left.enumerated() {
            var corner = row[0]
            row[0] = line + 1
            for (column, other) in right.enumerated() {
                let above = row[column + 1]
                row[column + 1] = min(above + 1, row[column] + 1, corner + (character == other ? 0 : 1))
                corner = above
            }
        }
        return row.last ?? 0
    }
}

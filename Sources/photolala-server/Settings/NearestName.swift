/// The name that was probably meant by a misspelt one.
enum NearestName {
    /// `; did you mean …?`, or nothing where no name is near.
    static func hint(_ misspelt: String, among names: [String]) -> String {
        let nearest = names.map { (name: $0, distance: distance(misspelt.lowercased(), $0.lowercased())) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(2, misspelt.count / 3) else { return "" }
        return "; did you mean \(nearest.name)?"
    }

    /// How many characters must be added, taken away or changed (Levenshtein).
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

import Foundation
import Testing

/// The tables of `docs/costs.md`.
struct CostDocument {
    /// Rows by their first cell; the other cells are numbers.
    private let rows: [String: [Double]]

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/costs.md"), encoding: .utf8)
        var rows: [String: [Double]] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| ") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let numbers = cells.dropFirst().map { Double($0.replacing(",", with: "").replacing("$", with: "")) }
            guard let name = cells.first, !numbers.isEmpty, !numbers.contains(nil) else { continue }
            try #require(rows[name] == nil, "two rows are called \(name)")
            rows[name] = numbers.compactMap(\.self)
        }
        self.rows = rows
    }

    var names: Set<String> { Set(rows.keys) }

    /// Expects a row to contain these numbers, within half a unit of the last digit in the document.
    func expect(_ name: String, _ numbers: [Double]) throws {
        let row = try #require(rows[name], "docs/costs.md has no row \(name): \(numbers)")
        let isRight = row.count == numbers.count && zip(row, numbers).allSatisfy { abs($0 - $1) < 0.005 }
        #expect(isRight, "docs/costs.md says \(row) of \(name), and it is \(numbers)")
    }
}

extension CountingBucket.Counts {
    /// Dollars per million operations: $0.005 for 1,000 PUT and LIST, $0.0004 for 1,000 GET, nothing for DELETE.
    var priceOfMillion: Double { 5 * Double(put + list) + 0.4 * Double(get) }

    var numbers: [Double] { [get, put, list, delete].map(Double.init) }

    static func - (left: Self, right: Self) -> Self {
        Self(
            get: left.get - right.get, put: left.put - right.put, list: left.list - right.list,
            delete: left.delete - right.delete)
    }
}

/// The capture dates of a catalog that are no possible dates, each text once. They count as unknown, and are written again
/// as they were read.
struct UnreadDates: Sendable {
    private(set) var texts: [[UInt8]] = []
    private var indices: [[UInt8]: UInt32] = [:]

    init(_ texts: [[UInt8]] = []) {
        for text in texts { _ = index(of: text) }
    }

    mutating func index(of text: [UInt8]) -> UInt32 {
        if let index = indices[text] { return index }
        texts.append(text)
        indices[text] = UInt32(texts.count - 1)
        return UInt32(texts.count - 1)
    }
}

extension Catalog {
    /// The text of a record's capture date where that is no possible date.
    func unreadDate(of record: CatalogRecord) -> [UInt8]? { record.unreadDate.map { unreadDates[Int($0)] } }

    /// The entries that stand in the library with such a text.
    package var unreadDateCount: Int {
        unreadDates.isEmpty ? 0 : records.count { $0.isPresent && $0.unreadDate != nil }
    }
}

/// Formats counts: `1 file`, `2 files`.
enum Counted {
    static func photos(_ count: Int) -> String { text(count, "photo") }

    static func files(_ count: Int) -> String { text(count, "file") }

    /// - Parameter noun: The singular of a noun whose plural ends in `s`.
    static func text(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}

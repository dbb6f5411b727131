/// Formats counts: `1 account`, `2 accounts`.
enum Counted {
    static func accounts(_ count: Int) -> String { text(count, "account") }

    static func bindings(_ count: Int) -> String { text(count, "identity binding") }

    static func findings(_ count: Int) -> String { text(count, "finding") }

    /// - Parameters:
    ///   - noun: The singular.
    ///   - plural: The plural; `nil` if it only adds an `s`.
    static func text(_ count: Int, _ noun: String, plural: String? = nil) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(plural ?? "\(noun)s")"
    }
}

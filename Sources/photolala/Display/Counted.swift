/// Formats counts: `1 file`, `2 files`.
enum Counted {
    static func photos(_ count: Int) -> String { count == 1 ? "1 photo" : "\(count) photos" }

    static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }
}

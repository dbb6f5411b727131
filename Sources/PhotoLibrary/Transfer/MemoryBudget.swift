/// The bytes that may be held at the same time.
struct MemoryBudget: Sendable {
    private let limit: Int
    private var used = 0

    init(_ limit: Int) { self.limit = limit }

    /// Whether there are so many bytes. One alone may have more than there is.
    func hasRoom(for bytes: Int) -> Bool { used == 0 || used + bytes <= limit }

    /// Takes so many bytes, if there are that many.
    mutating func take(_ bytes: Int) -> Bool {
        guard hasRoom(for: bytes) else { return false }
        used += bytes
        return true
    }

    mutating func give(_ bytes: Int) { used -= bytes }
}

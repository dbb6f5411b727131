/// A limit for the bytes that are in memory at the same time.
struct MemoryBudget: Sendable {
    private let limit: Int
    private var used = 0

    init(_ limit: Int) { self.limit = limit }

    /// Returns whether the bytes fit into the budget. If nothing else is in use, any number fits.
    func canReserve(for bytes: Int) -> Bool { used == 0 || used + bytes <= limit }

    /// Reserves bytes, if they fit.
    mutating func reserve(_ bytes: Int) -> Bool {
        guard canReserve(for: bytes) else { return false }
        used += bytes
        return true
    }

    mutating func release(_ bytes: Int) { used -= bytes }
}

import PhotolalaTesting

/// Lets two browsers run at once, and starts the longest walks first, so that no long one is left at the end.
actor BrowserQueue {
    static let shared = BrowserQueue()

    /// The walks that take longer than a minute, longest first. The order of the others makes little difference.
    private static let longest = ["offline", "languages", "resume", "shares", "library", "albums", "takeout"]

    /// A computer of two cores runs two browsers at once well.
    private var free = 2
    private var waiting: [(place: Int, gate: Gate)] = []

    /// Runs a walk once a browser may start.
    static func run(_ walk: String, _ body: () async throws -> Void) async throws {
        await shared.enter(walk)
        do {
            try await body()
            await shared.leave()
        } catch {
            await shared.leave()
            throw error
        }
    }

    private func enter(_ walk: String) async {
        guard free == 0 else {
            free -= 1
            return
        }
        let gate = Gate()
        waiting.append((Self.longest.firstIndex(of: walk) ?? Self.longest.count, gate))
        await gate.wait()
    }

    private func leave() {
        guard let next = waiting.indices.min(by: { waiting[$0].place < waiting[$1].place }) else {
            free += 1
            return
        }
        waiting.remove(at: next).gate.open()
    }
}

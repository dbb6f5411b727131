import Testing

@testable import Sessions

/// What a process remembers of proofs: bounded, and never less than it says.
@Suite struct UsedProofsTests {
    @Test("A full window takes no other proof, and still knows those that it took")
    func full() {
        let used = UsedProofs(limit: 3)
        for number in 0..<3 { #expect(used.take(UInt128(number), of: 10) { _ in true } == .fresh) }
        #expect(used.take(3, of: 10) { _ in true } == .full)
        #expect(used.take(2, of: 10) { _ in true } == .used)
        #expect(used.take(3, of: 11) { _ in true } == .fresh)
    }

    @Test("Windows whose nonces have ended are forgotten, the others are not")
    func windows() {
        let used = UsedProofs(limit: 3)
        for window in UInt32(10)...12 { #expect(used.take(1, of: window) { _ in true } == .fresh) }
        #expect(used.count == 3)
        #expect(used.take(1, of: 13) { $0 >= 12 } == .fresh)
        #expect(used.count == 2)
        #expect(used.take(1, of: 12) { $0 >= 12 } == .used)
        #expect(used.take(1, of: 11) { $0 >= 12 } == .late)
    }

    @Test("Of many that bring one proof at once, one is first")
    func race() async {
        let used = UsedProofs(limit: 10)
        let fresh = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 { group.addTask { used.take(7, of: 1) { _ in true } == .fresh } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(fresh == 1)
    }
}

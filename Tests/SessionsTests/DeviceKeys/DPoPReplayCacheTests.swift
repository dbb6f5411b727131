import Testing

@testable import Sessions

/// The DPoP proofs that a process remembers: bounded, and never fewer than it reports.
@Suite struct DPoPReplayCacheTests {
    @Test("a full window accepts no further proof and still recognizes the earlier ones")
    func full() {
        let used = DPoPReplayCache(limit: 3)
        for number in 0..<3 { #expect(used.consume(UInt128(number), of: 10) { _ in true } == .fresh) }
        #expect(used.consume(3, of: 10) { _ in true } == .full)
        #expect(used.consume(2, of: 10) { _ in true } == .used)
        #expect(used.consume(3, of: 11) { _ in true } == .fresh)
    }

    @Test("windows whose nonces have expired are dropped, and the others are kept")
    func windows() {
        let used = DPoPReplayCache(limit: 3)
        for window in UInt32(10)...12 { #expect(used.consume(1, of: window) { _ in true } == .fresh) }
        #expect(used.count == 3)
        #expect(used.consume(1, of: 13) { $0 >= 12 } == .fresh)
        #expect(used.count == 2)
        #expect(used.consume(1, of: 12) { $0 >= 12 } == .used)
        #expect(used.consume(1, of: 11) { $0 >= 12 } == .expired)
    }

    @Test("of many concurrent uses of one proof, exactly one is accepted")
    func race() async {
        let used = DPoPReplayCache(limit: 10)
        let fresh = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 { group.addTask { used.consume(7, of: 1) { _ in true } == .fresh } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(fresh == 1)
    }
}

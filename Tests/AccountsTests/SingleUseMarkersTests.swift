import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@Suite struct SingleUseMarkersTests {
    @Test("all markers that expired ten minutes ago are removed, and no others")
    func removal() async throws {
        let now = Date(timeIntervalSince1970: 2_000_000_000)
        let store = MemoryObjectStore { now }
        let markers = SingleUseMarkers(
            store: store, retry: RetryPolicy(backoff: Backoff(randomness: .seeded(1)) { _ in }))
        for number in 1...1203 {
            let isExpired = number <= 1200
            try await markers.consume(
                "id-\(number)", expiresAt: now.addingTimeInterval(isExpired ? -601 - Double(number % 7) : -600),
                marker: "\(number)")
        }
        #expect(try await markers.removeExpired(at: now) == 1200)
        let left = try await store.list(prefix: StorageLayout.usedMarkers, after: nil, limit: 10).objects
        #expect(left.map { $0.key.description.suffix(7) } == ["id-1201", "id-1202", "id-1203"])
        #expect(try await markers.removeExpired(at: now) == 0)
    }
}

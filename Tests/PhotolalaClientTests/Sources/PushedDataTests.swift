import Foundation
import PhotolalaTesting
import Synchronization
import Testing

@testable import PhotolalaClient

@Suite("Data that a callback pushes") struct PushedDataTests {
    /// Pushes chunks from a thread of its own, and records how many the receiver has accepted.
    private static func data(_ chunks: Int, accepted: Box, cancelled: Box, error: PhotoSourceError? = nil) -> PushedData
    {
        PushedData { receiver in
            let thread = Thread {
                for number in 0..<chunks {
                    receiver.receive(Data([UInt8(truncatingIfNeeded: number)]))
                    accepted.value.withLock { $0 += 1 }
                }
                receiver.finish(error)
            }
            thread.start()
            return { cancelled.value.withLock { $0 += 1 } }
        }
    }

    final class Box: Sendable {
        let value = Mutex(0)
    }

    @Test("all chunks arrive in order, and then the end")
    func order() async throws {
        var bytes: [UInt8] = []
        for try await data in Self.data(500, accepted: Box(), cancelled: Box()) { bytes += data }
        #expect(bytes == (0..<500).map { UInt8(truncatingIfNeeded: $0) })
    }

    @Test("the error arrives after the chunks")
    func failure() async throws {
        var count = 0
        await #expect(throws: PhotoSourceError.notDownloaded) {
            for try await _ in Self.data(20, accepted: Box(), cancelled: Box(), error: .notDownloaded) { count += 1 }
        }
        #expect(count == 20)
    }

    @Test("at most a few chunks wait, and an abandoned request is cancelled and unblocked")
    func bounded() async throws {
        let (accepted, cancelled) = (Box(), Box())
        do {
            var iterator = Self.data(100, accepted: accepted, cancelled: cancelled).makeAsyncIterator()
            for _ in 1...3 { #expect(try await iterator.next() != nil) }
            try await waitUntil("the chunks are accepted") { accepted.value.withLock { $0 } == 3 + PushedData.capacity }
        }
        try await waitUntil("the chunks are accepted") { accepted.value.withLock { $0 } == 100 }
        #expect(cancelled.value.withLock { $0 } == 1)
    }
}

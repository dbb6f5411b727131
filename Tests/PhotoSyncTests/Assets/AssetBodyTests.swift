import NIOCore
import ObjectStorage
import PhotoCatalog
import Synchronization
import Testing

@testable import PhotoSync

@Suite("Bodies of assets") struct AssetBodyTests {
    /// Returns the chunks that a store receives, and the error.
    private func read(
        _ chunks: [String], expecting text: String, failure: SourceError? = nil
    ) async -> (received: [String], error: (any Error)?, reported: [Int64], failed: SourceError?) {
        let reported = Mutex<[Int64]>([])
        let failed = Mutex<SourceError?>(nil)
        let bytes = ByteBuffer(string: text)
        let body = AssetBody(
            chunks: {
                AsyncThrowingStream {
                    for chunk in chunks { $0.yield(ByteBuffer(string: chunk)) }
                    $0.finish(throwing: failure)
                }
            }, size: Int64(bytes.readableBytes), md5: ContentDigest(of: bytes)
        ) { count in
            reported.withLock { $0.append(count) }
        } reportFailure: { error in
            failed.withLock { $0 = error }
        }
        var received: [String] = []
        var caught: (any Error)?
        do { for try await chunk in body { received.append(String(buffer: chunk)) } } catch { caught = error }
        return (received, caught, reported.withLock { $0 }, failed.withLock { $0 })
    }

    @Test("all chunks are passed on, without empty ones, and counted")
    func complete() async {
        let result = await read(["one", "", "two", "six"], expecting: "onetwosix")
        #expect(result.received == ["one", "two", "six"] && result.error == nil && result.reported == [3, 6, 9])
    }

    @Test(
        "the last chunk is withheld if the bytes are others, fewer or more",
        arguments: [["one", "six"], ["one"], ["one", "two", "six"], []])
    func different(chunks: [String]) async {
        let result = await read(chunks, expecting: "onetwo")
        #expect(result.error as? ObjectStoreError == .digestMismatch)
        #expect(result.received.joined() != "onetwo" && result.received.count < max(2, chunks.count))
    }

    @Test("the source's error is reported and thrown")
    func failure() async {
        let result = await read(["one", "two"], expecting: "onetwo", failure: .notDownloaded)
        #expect(result.error as? SourceError == .notDownloaded && result.failed == .notDownloaded)
        #expect(result.received == ["one"])
    }
}

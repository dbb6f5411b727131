import NIOCore
import ObjectStorage

/// The concatenated parts of an upload as one stream.
struct PartsBody: AsyncSequence, Sendable {
    let store: any ObjectStore
    let parts: [ListedObject]

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let store: any ObjectStore
        fileprivate var left: ArraySlice<ListedObject>
        fileprivate var current: ObjectBody.AsyncIterator?

        mutating func next() async throws -> ByteBuffer? {
            while true {
                if let chunk = try await current?.next() { return chunk }
                guard let part = left.popFirst() else { return nil }
                guard let reading = try await store.read(part.key, range: nil), reading.info.etag == part.etag else {
                    throw ObjectStoreError.bodyFailed("part replaced or removed during the request")
                }
                current = reading.body.makeAsyncIterator()
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(store: store, left: parts[...], current: nil) }
}

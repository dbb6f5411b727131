import Foundation
import NIOCore
import ObjectStorage

/// The promises of `ObjectStore` as cases, one by one, which every implementation passes.
///
///     @Test(arguments: ObjectStoreConformance.cases)
///     func keepsThePromise(_ promise: ObjectStoreConformance.Case) async throws {
///         try await promise.check(store, prefix: "service/conformance/")
///     }
///
/// Each case works below a prefix of its own, so a kit can run on a store that others use at the same time. It leaves
/// its objects behind.
package enum ObjectStoreConformance {
    package struct Case: Sendable, CustomStringConvertible {
        /// The promise, as a sentence.
        package let description: String
        private let folder: String
        private let body: @Sendable (ConformanceWorld) async throws -> Void

        init(_ description: String, folder: String, _ body: @escaping @Sendable (ConformanceWorld) async throws -> Void)
        {
            self.description = description
            self.folder = folder
            self.body = body
        }

        /// - Parameter prefix: where the store is empty and takes objects of 3 MiB; ends in `/`.
        package func check(_ store: any ObjectStore, prefix: String) async throws {
            try await body(ConformanceWorld(store: store, prefix: "\(prefix)\(folder)/"))
        }
    }

    package static let cases = wholeObjects + conditions + streams + ranges + listings + races
}

extension ObjectInfo {
    /// Whether it is the same version, told of with the same facts. The answer to a write over HTTP tells its own time,
    /// which on a busy machine is seconds after the one that is kept.
    func tells(_ other: ObjectInfo) -> Bool {
        etag == other.etag && size == other.size && abs(lastModified.timeIntervalSince(other.lastModified)) < 60
            && tells(attributes: other.attributes)
    }

    /// Whether these attributes come back, and no others but what a store may say of its own accord.
    func tells(attributes given: ObjectAttributes) -> Bool {
        let ownWords: Set = ["content-disposition", "content-type"]
        let added = attributes.keys.filter { given[$0] == nil }
        return given.allSatisfy { attributes[$0.key] == $0.value } && ownWords.isSuperset(of: added)
    }
}

/// A store and the prefix that one case has to itself.
struct ConformanceWorld: Sendable {
    let store: any ObjectStore
    let prefix: String

    func key(_ name: String) -> ObjectKey { ObjectKey(known: prefix + name) }

    /// What the store threw; fails when it threw nothing.
    func failure<Value>(
        _ promise: String, of act: () async throws(ObjectStoreError) -> Value
    ) async throws -> ObjectStoreError {
        do {
            _ = try await act()
        } catch {
            return error
        }
        throw ConformanceFailure(promise)
    }

    /// The object's bytes as text, `nil` when there is none.
    func text(_ key: ObjectKey) async throws -> String? {
        try await store.get(key).map { String(buffer: $0.bytes) }
    }

    func collect(_ body: ObjectBody) async throws -> ByteBuffer {
        var bytes = ByteBuffer()
        for try await var chunk in body { bytes.writeBuffer(&chunk) }
        return bytes
    }

    /// A body of the given chunks, which may lie about its size or fail at its end.
    func body(_ chunks: [String], size: Int64? = nil, failure: (any Error)? = nil) -> ObjectBody {
        let buffers = chunks.map { ByteBuffer(string: $0) }
        let stream = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
            for buffer in buffers { continuation.yield(buffer) }
            continuation.finish(throwing: failure)
        }
        return ObjectBody(size: size ?? Int64(buffers.reduce(0) { $0 + $1.readableBytes }), chunks: stream)
    }
}

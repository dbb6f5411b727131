import Foundation
import NIOCore
import ObjectStorage

/// The requirements of `ObjectStore`, as cases that every implementation must pass.
///
///     @Test(arguments: ObjectStoreConformance.cases)
///     func keepsThePromise(_ promise: ObjectStoreConformance.Case) async throws {
///         try await promise.check(store, prefix: "service/conformance/")
///     }
///
/// Each case uses its own prefix, so the cases can run on a shared store. They do not delete their objects.
package enum ObjectStoreConformance {
    package struct Case: Sendable, CustomStringConvertible {
        /// The requirement, as a sentence.
        package let description: String
        private let folder: String
        private let body: @Sendable (ConformanceFixture) async throws -> Void

        init(
            _ description: String, folder: String, _ body: @escaping @Sendable (ConformanceFixture) async throws -> Void
        ) {
            self.description = description
            self.folder = folder
            self.body = body
        }

        /// - Parameter prefix: An empty prefix, ending in `/`, whose store accepts objects of 3 MiB.
        package func check(_ store: any ObjectStore, prefix: String) async throws {
            try await body(ConformanceFixture(store: store, prefix: "\(prefix)\(folder)/"))
        }
    }

    package static let cases = wholeObjects + conditions + streams + ranges + listings + races
}

extension ObjectInfo {
    /// Returns whether both describe the same version. Modification times may differ by less than 60 seconds: an HTTP
    /// response to a write has its own time, which on a busy machine is seconds after the stored one.
    func matches(_ other: ObjectInfo) -> Bool {
        etag == other.etag && size == other.size && abs(lastModified.timeIntervalSince(other.lastModified)) < 60
            && matches(attributes: other.attributes)
    }

    /// Returns whether the given attributes are present, with no others except those that a store may add itself.
    func matches(attributes given: ObjectAttributes) -> Bool {
        let ownWords: Set = ["content-disposition", "content-type"]
        let added = attributes.keys.filter { given[$0] == nil }
        return given.allSatisfy { attributes[$0.key] == $0.value } && ownWords.isSuperset(of: added)
    }
}

/// A store and the prefix of one case.
struct ConformanceFixture: Sendable {
    let store: any ObjectStore
    let prefix: String

    func key(_ name: String) -> ObjectKey { ObjectKey(known: prefix + name) }

    /// Returns the error that the store threw, or fails the case if it threw none.
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

    /// Returns the object's bytes as text, or `nil` if there is no object.
    func text(_ key: ObjectKey) async throws -> String? {
        try await store.get(key).map { String(buffer: $0.bytes) }
    }

    func collect(_ body: ObjectBody) async throws -> ByteBuffer {
        var bytes = ByteBuffer()
        for try await var chunk in body { bytes.writeBuffer(&chunk) }
        return bytes
    }

    /// Creates a body with the given chunks. It may declare a wrong size or fail at its end.
    func body(_ chunks: [String], size: Int64? = nil, failure: (any Error)? = nil) -> ObjectBody {
        let buffers = chunks.map { ByteBuffer(string: $0) }
        let stream = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
            for buffer in buffers { continuation.yield(buffer) }
            continuation.finish(throwing: failure)
        }
        return ObjectBody(size: size ?? Int64(buffers.reduce(0) { $0 + $1.readableBytes }), chunks: stream)
    }
}

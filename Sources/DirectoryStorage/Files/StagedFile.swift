import Crypto
import Foundation
import NIOCore
import ObjectStorage
import Secrets
import Synchronization

/// A file being written. It is deleted with this object unless it was kept.
final class StagedFile: Sendable {
    /// A staged file that is complete and durable.
    struct Sealed {
        /// The path below `.incoming`.
        let name: String
        /// The MD5 of the bytes, 32 lower-case hex digits.
        let md5: String
        let fingerprint: FileFingerprint
    }

    private struct State {
        var hasher = Insecure.MD5()
        var isCommitted = false
    }

    private let name: String
    private let file: OpenFile
    private let state = Mutex(State())

    init(name: String, path: String) throws(ObjectStoreError) {
        self.name = name
        file = try OpenFile.writing(path)
    }

    deinit {
        if !state.withLock({ $0.isCommitted }) { _ = unlink(file.path) }
    }

    func append(_ chunks: [ByteBuffer]) throws(ObjectStoreError) {
        try state.withLock { state throws(ObjectStoreError) in
            for chunk in chunks {
                let view = chunk.readableBytesView
                try Self.hash(view, into: &state.hasher, and: file)
            }
        }
    }

    /// Makes the bytes durable if they match the expected MD5, and returns their name, MD5 and fingerprint.
    func seal(promised: DeclaredMD5?) throws(ObjectStoreError) -> Sealed {
        let md5 = state.withLock { Hex.encode($0.hasher.finalize()) }
        try promised?.verify(md5)
        try file.synchronize()
        return Sealed(name: name, md5: md5, fingerprint: try file.fingerprint())
    }

    /// Keeps the file, because the database refers to it from now on.
    func markCommitted() { state.withLock { $0.isCommitted = true } }

    private static func hash(
        _ view: ByteBufferView, into hasher: inout Insecure.MD5, and file: OpenFile
    ) throws(ObjectStoreError) {
        let result = view.withUnsafeBytes { bytes in
            hasher.update(bufferPointer: bytes)
            return Result { () throws(ObjectStoreError) in try file.append(bytes) }
        }
        try result.get()
    }
}

import Crypto
import Foundation
import NIOCore
import S3Protocol
import Secrets

/// The digests that a body's declarations require, computed in one pass over its bytes.
struct BodyDigests: Sendable {
    private var count: Int64 = 0
    private var md5: Insecure.MD5?
    private var sha256: SHA256?
    private var checksum: RunningChecksum?
    private let algorithm: ChecksumAlgorithm?
    private let declared: DeclaredBody

    /// - Parameters:
    ///   - checksMD5: `false` if the content is written to a store, which compares the MD5 itself.
    ///   - standard: The checksum to compute if none is declared.
    init(_ declared: DeclaredBody, checksMD5: Bool, standard: ChecksumAlgorithm? = nil) {
        self.declared = declared
        if checksMD5, declared.md5 != nil { md5 = Insecure.MD5() }
        if case .sha256 = declared.payload { sha256 = SHA256() }
        algorithm = declared.algorithm ?? standard
        checksum = algorithm.map(RunningChecksum.init)
    }

    mutating func update(_ buffer: ByteBuffer) throws(S3Error) {
        count += Int64(buffer.readableBytes)
        guard count <= declared.size else { throw .incompleteBody }
        buffer.withUnsafeReadableBytes { bytes in
            md5?.update(bufferPointer: bytes)
            sha256?.update(bufferPointer: bytes)
            checksum?.update(bytes)
        }
    }

    /// Compares the digests with all declarations.
    /// - Returns: The content's checksum, if one was declared or requested.
    func finish(trailers: [String: String]) throws(S3Error) -> ContentChecksum? {
        guard count == declared.size else { throw .incompleteBody }
        if case .sha256(let hex) = declared.payload, let sha256, Hex.encode(sha256.finalize()) != hex {
            throw .contentHashMismatch
        }
        guard !DeclaredChecksum.isUnannounced(trailers, except: declared.trailer) else { throw .malformedTrailer }
        if let md5, Data(md5.finalize()) != declared.md5 { throw .badDigest }
        guard let algorithm, let computed = checksum?.base64 else { return nil }
        if declared.algorithm != nil {
            guard let expected = declared.checksum?.value ?? trailers[algorithm.headerName] else {
                throw .malformedTrailer
            }
            guard computed == expected else { throw .badDigest }
        }
        return ContentChecksum(algorithm, computed)
    }
}

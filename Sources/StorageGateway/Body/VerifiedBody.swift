import Foundation
import HTTPListener
import Hummingbird
import NIOCore
import ObjectStorage
import S3Protocol
import Synchronization

/// A request's content, verified while it streams. The last bytes are withheld until all declarations are verified,
/// so a consumer can never reach the end of content that does not match them.
struct VerifiedBody: AsyncSequence, Sendable {
    /// The result of the verification, for callers that only see the stream fail.
    final class Outcome: Sendable {
        private let state = Mutex<(failure: S3Error?, checksum: ContentChecksum?)>((nil, nil))

        var failure: S3Error? { state.withLock { $0.failure } }
        var checksum: ContentChecksum? { state.withLock { $0.checksum } }

        fileprivate func fail(_ error: S3Error) { state.withLock { $0.failure = error } }
        fileprivate func succeed(_ checksum: ContentChecksum?) { state.withLock { $0.checksum = checksum } }
    }

    let declared: DeclaredBody
    let outcome = Outcome()
    private let body: RequestBody
    private let chunks: ChunkSigner
    private let events: BodyEvents
    private let standard: ChecksumAlgorithm?
    private var checksMD5 = true

    /// - Parameters:
    ///   - standard: The checksum to compute if none is declared.
    init(
        _ body: RequestBody, declared: DeclaredBody, chunks: ChunkSigner, standard: ChecksumAlgorithm? = nil,
        events: BodyEvents
    ) {
        self.body = body
        self.declared = declared
        self.standard = standard
        self.chunks = chunks
        self.events = events
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var body: RequestBody.AsyncIterator
        fileprivate var decoder: ChunkedDecoder?
        fileprivate var digests: BodyDigests
        fileprivate let outcome: Outcome
        fileprivate let events: BodyEvents
        private var pendingChunk: ByteBuffer?
        private var hasStarted = false
        private var hasEnded = false

        fileprivate init(
            body: RequestBody.AsyncIterator, decoder: ChunkedDecoder?, digests: BodyDigests, outcome: Outcome,
            events: BodyEvents
        ) {
            self.body = body
            self.decoder = decoder
            self.digests = digests
            self.outcome = outcome
            self.events = events
        }

        mutating func next() async throws -> ByteBuffer? {
            if hasEnded { return nil }
            do {
                return try await advance()
            } catch {
                hasEnded = true
                let failure = S3Error(receiving: error)
                outcome.fail(failure)
                throw failure
            }
        }

        private mutating func advance() async throws -> ByteBuffer? {
            if !hasStarted {
                hasStarted = true
                try await events.onStart()
            }
            while let content = try await content() {
                try digests.update(content)
                if let ready = pendingChunk {
                    pendingChunk = content
                    return ready
                }
                pendingChunk = content
            }
            try await events.onEnd()
            hasEnded = true
            outcome.succeed(try digests.finish(trailers: decoder?.trailers ?? [:]))
            return pendingChunk
        }

        /// Returns the next bytes of content, skipping empty buffers.
        private mutating func content() async throws -> ByteBuffer? {
            while true {
                if let decoded = try decoder?.next() { return decoded }
                guard let buffer = try await body.next() else { break }
                if buffer.readableBytes == 0 { continue }
                guard decoder != nil else { return buffer }
                decoder?.append(buffer)
            }
            guard decoder?.isComplete ?? true else { throw S3Error.incompleteBody }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        let decoder: ChunkedDecoder? =
            switch declared.payload {
            case .sha256, .unsigned: nil
            case .streamingSigned: ChunkedDecoder(signatures: chunks, signsTrailer: false)
            case .streamingSignedTrailer: ChunkedDecoder(signatures: chunks, signsTrailer: true)
            case .streamingUnsignedTrailer: ChunkedDecoder(signatures: nil, signsTrailer: false)
            }
        return AsyncIterator(
            body: body.makeAsyncIterator(), decoder: decoder,
            digests: BodyDigests(declared, checksMD5: checksMD5, standard: standard), outcome: outcome,
            events: events
        )
    }

    /// Returns the content for a store to write together with the attributes in `promise`: a store computes the MD5
    /// in any case. An empty body is verified here, because no store would read its stream.
    func objectBody() async throws -> ObjectBody {
        var content = self
        content.checksMD5 = false
        guard declared.size == 0 else { return ObjectBody(size: declared.size, chunks: content) }
        var iterator = content.makeAsyncIterator()
        while try await iterator.next() != nil {}
        return ObjectBody(ByteBuffer())
    }

    /// The declared MD5, for the store that writes the content.
    var declaredDigest: ObjectAttributes {
        declared.md5.map { [DeclaredMD5.attributeName: $0.base64EncodedString()] } ?? [:]
    }

    /// Attributes of the length that the stored checksum will have. Its value is known once the content has been
    /// read.
    var checksumPlaceholder: ObjectAttributes { ContentChecksum.placeholder(declared.algorithm ?? standard) }

    /// Collects small content in memory.
    func collect(limit: Int64) async throws -> ByteBuffer {
        guard declared.size <= limit else { throw S3Error.tooLarge }
        var collected = ByteBuffer()
        for try await var chunk in self { collected.writeBuffer(&chunk) }
        return collected
    }
}

extension S3Error {
    fileprivate init(receiving error: any Error) {
        self =
            switch error {
            case let error as S3Error: error
            case is SessionCheckFailure: .unavailable
            case is BodyTooSlow: .requestTimeout
            default: .incompleteBody
            }
    }
}

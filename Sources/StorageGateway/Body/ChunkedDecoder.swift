import Crypto
import NIOCore
import S3Protocol
import Secrets

/// Decodes the framing of `aws-chunked`: `hex size[;chunk-signature=…]`, bytes, …, an empty chunk, trailer lines.
/// Signed chunks are verified when they end; malformed framing is rejected, and the length of a line is limited.
struct ChunkedDecoder: Sendable {
    private enum State {
        case header
        case data(left: Int)
        case dataEnd, trailer, done
    }

    /// Lower-case names and values, available once the body has ended.
    private(set) var trailers: [String: String] = [:]
    private var state = State.header
    private var unread = ByteBuffer()
    private var signatures: ChunkSigner?
    private let signsTrailer: Bool
    private var chunkHash = SHA256()
    private var chunkSignature = ""
    private var trailerLines = ""
    private var trailerSignature: String?
    private let maximumLineLength = 4096
    private let maximumTrailerLength = 16_384

    /// - Parameter signatures: `nil` if the chunks are not signed.
    init(signatures: ChunkSigner?, signsTrailer: Bool) {
        self.signatures = signatures
        self.signsTrailer = signsTrailer
    }

    /// Whether the last chunk and the trailer were read and verified.
    var isComplete: Bool { if case .done = state { true } else { false } }

    mutating func append(_ buffer: ByteBuffer) {
        var buffer = buffer
        guard unread.readableBytes > 0 else { return unread = buffer }
        // Without this, consumed bytes would be retained as long as buffers end within lines.
        unread.discardReadBytes()
        unread.writeBuffer(&buffer)
    }

    /// Returns the next bytes of content, or `nil` if more of the body is needed or it has ended.
    mutating func next() throws(S3Error) -> ByteBuffer? {
        while true {
            switch state {
            case .header:
                guard let line = try line() else { return nil }
                try startChunk(line)
            case .data(let left):
                guard let bytes = unread.readSlice(length: min(left, unread.readableBytes)), bytes.readableBytes > 0
                else { return nil }
                if signatures != nil {
                    bytes.withUnsafeReadableBytes { chunkHash.update(bufferPointer: $0) }
                }
                state = left == bytes.readableBytes ? .dataEnd : .data(left: left - bytes.readableBytes)
                return bytes
            case .dataEnd:
                guard let line = try line() else { return nil }
                guard line.isEmpty else { throw .incompleteBody }
                try endChunk()
                state = .header
            case .trailer:
                guard let line = try line() else { return nil }
                if line.isEmpty { try endTrailer() } else { try readTrailer(line) }
            case .done:
                guard unread.readableBytes == 0 else { throw .incompleteBody }
                return nil
            }
        }
    }

    /// Returns a line without its terminator; `nil` while it is incomplete.
    private mutating func line() throws(S3Error) -> String? {
        let view = unread.readableBytesView
        guard let end = view.prefix(maximumLineLength).firstIndex(of: UInt8(ascii: "\n")) else {
            guard view.count < maximumLineLength else { throw .incompleteBody }
            return nil
        }
        guard var text = unread.readString(length: view.distance(from: view.startIndex, to: end) + 1),
            text.utf8.allSatisfy({ $0 < 0x80 })
        else { throw .incompleteBody }
        text.unicodeScalars.removeLast()
        guard text.unicodeScalars.last == "\r" else { throw .incompleteBody }
        text.unicodeScalars.removeLast()
        return text
    }

    private mutating func startChunk(_ line: String) throws(S3Error) {
        let parts = line.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard let digits = parts.first, (1...12).contains(digits.utf8.count),
            digits.allSatisfy(\.isHexDigit), let size = Int(digits, radix: 16)
        else { throw .incompleteBody }
        if signatures != nil {
            let prefix = "chunk-signature="
            guard parts.count == 2, parts[1].hasPrefix(prefix) else { throw .signatureMismatch }
            chunkSignature = String(parts[1].dropFirst(prefix.count))
            chunkHash = SHA256()
        }
        if size > 0 {
            state = .data(left: size)
        } else {
            try endChunk()
            state = .trailer
        }
    }

    private mutating func endChunk() throws(S3Error) {
        let hash = Hex.encode(chunkHash.finalize())
        guard signatures?.accept(chunkSignature, chunkHash: hash) ?? true else { throw .signatureMismatch }
    }

    private mutating func readTrailer(_ line: String) throws(S3Error) {
        guard let colon = line.firstIndex(of: ":"), trailerLines.utf8.count + line.utf8.count <= maximumTrailerLength
        else {
            throw .malformedTrailer
        }
        let name = line[..<colon].lowercased()
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        guard trailers[name] == nil, trailerSignature == nil else { throw .malformedTrailer }
        if name == "x-amz-trailer-signature" {
            trailerSignature = String(value)
        } else {
            trailers[name] = String(value)
            trailerLines += "\(name):\(value)\n"
        }
    }

    private mutating func endTrailer() throws(S3Error) {
        if signsTrailer {
            let hash = PayloadHash.of(Array(trailerLines.utf8)).description
            guard let trailerSignature, signatures?.accept(trailerSignature, trailerHash: hash) == true else {
                throw .signatureMismatch
            }
        }
        state = .done
    }
}

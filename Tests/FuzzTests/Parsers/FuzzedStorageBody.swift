import Foundation
import NIOCore
import S3Protocol
import Secrets

@testable import S3Protocol
@testable import StorageGateway

extension FuzzedParser {
    private static let deletion =
        "<?xml version=\"1.0\"?>\n<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Quiet>true</Quiet>"
        + "<Object><Key>a &amp; b &#233;</Key></Object><Object ><Key/></Object></Delete>"
    private static let completion =
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\"abc\"</ETag>"
        + "<ChecksumCRC32>AAAAAA==</ChecksumCRC32></Part>"
        + "<Part><ETag>d&quot;e</ETag><PartNumber>2</PartNumber></Part></CompleteMultipartUpload>"

    /// Bodies of requests to the S3 endpoint.
    static func storageBody() -> [FuzzedParser] {
        let (unsigned, signed, trailing) = (chunked(.none), chunked(.chunks), chunked(.trailer))
        return [
            FuzzedParser(text: "S3 XML", [deletion, completion], tokens: .xml) { text in
                guard let node = try? XMLReader.read(text.utf8) else { return false }
                _ = try? CompletionRequest(node)
                var written = XMLWriter()
                write(node, &written)
                try PropertyViolation.unless(
                    try XMLReader.read(written.text.utf8) == node.printable, "a document is read as written")
                return true
            },
            FuzzedParser("aws-chunked", [unsigned], tokens: .http) { try decode($0, .none) != nil },
            FuzzedParser("aws-chunked, signed", [signed], tokens: .http) { bytes in
                guard let content = try decode(bytes, .chunks) else { return false }
                try PropertyViolation.unless(content == Self.content, "changed bytes have no valid signature")
                return true
            },
            FuzzedParser("aws-chunked, signed trailer", [trailing], tokens: .http) { bytes in
                guard let content = try decode(bytes, .trailer) else { return false }
                try PropertyViolation.unless(content == Self.content, "changed bytes have no valid signature")
                return true
            },
        ]
    }

    // MARK: XML

    private static func write(_ node: PlainElement, _ text: inout XMLWriter) {
        text.element(node.name) { text in
            text.escaped(node.text)
            for child in node.children { write(child, &text) }
        }
    }

    // MARK: aws-chunked

    private enum Signing { case none, chunks, trailer }

    private static let pieces = ["hello, ", "world", String(repeating: "x", count: 300)]
    private static let content = Array(pieces.joined().utf8)

    private static var chain: ChunkSigner {
        let stamp = AWSTimestamp(ForgedProvider.now)
        let scope = CredentialScope(day: stamp.day, region: "us-east-1", service: "s3")
        return ChunkSigner(
            seed: String(repeating: "0", count: 64), key: SigningKey(secretAccessKey: "secret", scope: scope),
            timestamp: stamp)
    }

    private static func chunked(_ signing: Signing) -> [UInt8] {
        var chain = chain
        var text = ""
        for piece in pieces + [""] {
            let signature = chain.sign(chunkHash: PayloadHash.of(Data(piece.utf8)).description)
            text +=
                String(piece.utf8.count, radix: 16) + (signing == .none ? "" : ";chunk-signature=\(signature)") + "\r\n"
            if !piece.isEmpty { text += "\(piece)\r\n" }
        }
        if signing != .chunks { text += "x-amz-checksum-crc32:AAAAAA==\r\n" }
        if signing == .trailer {
            let hash = PayloadHash.of(Data("x-amz-checksum-crc32:AAAAAA==\n".utf8)).description
            text += "x-amz-trailer-signature:\(chain.sign(trailerHash: hash))\r\n"
        }
        return Array("\(text)\r\n".utf8)
    }

    /// Returns the content, which does not depend on how the bytes are split; `nil` for a rejected body.
    private static func decode(_ bytes: [UInt8], _ signing: Signing) throws -> [UInt8]? {
        let whole = try decode(bytes, signing, inPiecesOf: max(1, bytes.count))
        let parts = try decode(bytes, signing, inPiecesOf: 7)
        try PropertyViolation.unless(whole == parts, "the result does not depend on the pieces")
        return whole
    }

    private static func decode(_ bytes: [UInt8], _ signing: Signing, inPiecesOf size: Int) throws -> [UInt8]? {
        var decoder = ChunkedDecoder(signatures: signing == .none ? nil : chain, signsTrailer: signing == .trailer)
        var content: [UInt8] = []
        do {
            for start in stride(from: 0, to: bytes.count, by: size) {
                decoder.append(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
                while let next = try decoder.next() { content += next.readableBytesView }
            }
            return decoder.isComplete ? content : nil
        } catch {
            return nil
        }
    }
}

extension PlainElement {
    /// The element with the characters that XML cannot contain replaced, as by our writer.
    fileprivate var printable: PlainElement {
        var node = PlainElement(name: name, text: "", children: children.map(\.printable))
        for scalar in text.unicodeScalars {
            let isForbidden =
                scalar.value < 0x20 && !"\t\n\r".unicodeScalars.contains(scalar) || scalar.value == 0xfffe
                || scalar.value == 0xffff
            node.text.unicodeScalars.append(isForbidden ? "\u{fffd}" : scalar)
        }
        return node
    }
}

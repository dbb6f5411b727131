import Crypto
import Foundation
import NIOCore
import S3Protocol
import Secrets

/// Frames content as `aws-chunked`, as clients do.
struct ChunkedFraming {
    var content: [String]
    var trailer: (name: String, value: String)?
    /// Modifies the complete frame before it is sent.
    var spoil: (String) -> String = { $0 }

    func unsigned() -> [ByteBuffer] {
        var text = content.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined() + "0\r\n"
        if let trailer { text += "\(trailer.name):\(trailer.value)\r\n" }
        return pieces(spoil(text + "\r\n"))
    }

    func signed(_ request: SignedRequest) -> [ByteBuffer] {
        var chain = request.chunks
        var text = ""
        for chunk in content {
            let signature = chain.sign(chunkHash: PayloadHash.of(Data(chunk.utf8)).description)
            text += "\(String(chunk.utf8.count, radix: 16));chunk-signature=\(signature)\r\n\(chunk)\r\n"
        }
        text += "0;chunk-signature=\(chain.sign(chunkHash: PayloadHash.empty.description))\r\n"
        if let trailer {
            let hash = PayloadHash.of(Data("\(trailer.name):\(trailer.value)\n".utf8)).description
            text += "\(trailer.name):\(trailer.value)\r\n"
            text += "x-amz-trailer-signature:\(chain.sign(trailerHash: hash))\r\n"
        }
        return pieces(spoil(text + "\r\n"))
    }

    /// Splits the text into pieces of 7 bytes, so that boundaries fall inside elements of the framing.
    private func pieces(_ text: String) -> [ByteBuffer] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: 7).map { ByteBuffer(bytes: bytes[$0..<min($0 + 7, bytes.count)]) }
    }
}

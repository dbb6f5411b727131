import Foundation
import HTTPTypes
import PhotolalaTesting
import Testing

@testable import S3Protocol

/// A case of AWS's Signature Version 4 test suite, read from the folder of `scripts/install-vectors`.
struct SignatureVector: CustomTestStringConvertible, Sendable {
    struct Context: Decodable {
        struct Credentials: Decodable {
            let access_key_id: String
            let secret_access_key: String
            let token: String?
        }
        let credentials: Credentials
        let expiration_in_seconds: Int
        let normalize: Bool
        let sign_body: Bool
        let region: String
        let service: String
        let omit_session_token: Bool?
        let timestamp: String
    }

    static let folder = Repository.vectors.appending(path: "sigv4")
    static let all: [SignatureVector] =
        ((try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? [])
        .sorted { $0.path < $1.path }.map(SignatureVector.init)

    let url: URL
    var testDescription: String { url.lastPathComponent }

    func text(_ name: String) throws -> String {
        try String(decoding: Data(contentsOf: url.appending(path: name)), as: UTF8.self)
    }

    func context() throws -> Context { try JSONDecoder().decode(Context.self, from: Data(text("context.json").utf8)) }

    func request(_ name: String) throws -> (request: SignableRequest, body: String) {
        let whole = try text(name)
        let halves = whole.components(separatedBy: "\n\n")
        var lines = halves[0].components(separatedBy: "\n")
        let first = lines.removeFirst()
        let target = first.dropFirst(first.prefix { $0 != " " }.count + 1).dropLast(" HTTP/1.1".count)
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var unfolded: [String] = []
        for line in lines where !line.isEmpty {
            if line.hasPrefix(" "), let last = unfolded.popLast() {
                unfolded.append(last + line)
            } else {
                unfolded.append(line)
            }
        }
        var request = SignableRequest(
            method: String(first.prefix { $0 != " " }), host: "", path: parts[0], query: parts.count > 1 ? parts[1] : ""
        )
        for line in unfolded {
            let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if pair[0].lowercased() == "host" {
                request.host = pair[1]
            } else {
                let name = try #require(HTTPField.Name(pair[0]))
                request.headers.append(HTTPField(name: name, value: pair[1]))
            }
        }
        return (request, halves.count > 1 ? halves[1] : "")
    }
}

import Foundation

/// Reads an ID token that another program obtained.
enum IdentityTokenFile {
    /// The server's limit of 16 KiB. A larger file is not an ID token.
    private static let limit = 16 << 10

    /// Reads a token from a file or pipe. Tokens are never accepted as arguments, which every user of the machine can
    /// read.
    static func token(in path: String) throws -> String {
        let bytes = try InputFile.bytes(of: path, limit: limit, content: "the ID token")
        let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard bytes.count <= limit, !token.isEmpty else {
            throw CommandFailure("\(InputFile.name(path)) does not contain an ID token.", status: .signInRejected)
        }
        return token
    }
}

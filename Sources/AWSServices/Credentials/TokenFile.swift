import Foundation
import Transport

/// A file with a token that the platform renews.
enum TokenFile {
    private static let limit = 64 << 10

    /// Returns its content without surrounding white space.
    static func read(_ path: String) throws(CredentialError) -> String {
        guard let bytes = try? NamedFile.bytes(of: path, as: .regular, limit: limit), bytes.count <= limit,
            let text = String(validating: bytes, as: UTF8.self)?.trimmingCharacters(in: .whitespacesAndNewlines),
            !text.isEmpty
        else { throw .unavailable("no token in \(path)") }
        return text
    }
}

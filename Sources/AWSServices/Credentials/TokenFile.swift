import Foundation

/// A file with a token that the platform renews.
enum TokenFile {
    /// Returns its content without surrounding white space.
    static func read(_ path: String) throws(CredentialError) -> String {
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= 64 * 1024,
            let text = String(data: data, encoding: .utf8)?.trimmingCharacters(in: .whitespacesAndNewlines),
            !text.isEmpty
        else { throw .unavailable("no token in \(path)") }
        return text
    }
}

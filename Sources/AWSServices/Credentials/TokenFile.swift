import Foundation

/// A token that the platform keeps fresh in a file.
enum TokenFile {
    /// Its content without white space around it.
    static func read(_ path: String) throws(CredentialError) -> String {
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= 64 * 1024,
            let text = String(data: data, encoding: .utf8)?.trimmingCharacters(in: .whitespacesAndNewlines),
            !text.isEmpty
        else { throw .unavailable("no token in \(path)") }
        return text
    }
}

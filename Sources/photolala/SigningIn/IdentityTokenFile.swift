import Foundation

/// An identity token that another program got.
enum IdentityTokenFile {
    /// A server takes 16 KiB; more is some other file.
    private static let limit = 16 << 10

    /// Tokens come in files and pipes and never as arguments, which everybody on the machine could read.
    static func read(_ path: String) throws -> String {
        let bytes: Data
        do {
            let file =
                path == "-"
                ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            bytes = try file.read(upToCount: limit + 1) ?? Data()
        } catch {
            throw CommandFailure("Cannot read the token in \(path): \(error.localizedDescription)")
        }
        let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard bytes.count <= limit, !token.isEmpty else {
            throw CommandFailure("\(path) holds no identity token.", status: .proofRefused)
        }
        return token
    }
}

import Foundation
import PhotolalaAPI

extension ProfileDirectory {
    static let lastServerFile = "server.json"

    private struct LastServer: Codable {
        let server: String
    }

    /// The server of the last sign-in on this device, also of one that found no account. It stays after the session, as a
    /// default for the next sign-in; `nil` if there is none or the file is unusable.
    public var lastServer: String? {
        guard let bytes = try? folder.read(Self.lastServerFile),
            let stored = try? WireJSON.decoder().decode(LastServer.self, from: bytes)
        else { return nil }
        return (try? ServerAddress(stored.server, allowsPlainHTTP: true))?.description
    }

    /// Stores the server, which is only a default: a failure is not reported.
    func storeLastServer(_ server: ServerAddress) {
        guard lastServer != server.description,
            let bytes = try? WireJSON.encoder().encode(LastServer(server: server.description))
        else { return }
        try? folder.replace(Self.lastServerFile, with: bytes)
    }
}

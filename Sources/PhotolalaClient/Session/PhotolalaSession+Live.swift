import Foundation
import PhotolalaAPI
import Transport

/// The SDK's connections over the network; close it when the program needs it no longer.
public struct PhotolalaNetwork: Sendable {
    package let transport: StallDetectingTransport
    private let client: AsyncHTTPTransport

    /// Opens nothing yet; connections come with the first call.
    /// - Parameter stallTimeout: a request fails when no byte of it moves for this long. It is tried again as other
    ///   failures are; a store that stays silent for twice this time and over three tries ends the transfer with
    ///   `temporarilyUnavailable`.
    public init(stallTimeout: Duration = .seconds(60)) {
        client = AsyncHTTPTransport(
            connectionsPerHost: Self.connections, idleTimeout: max(stallTimeout, Self.shortestIdleTimeout))
        transport = StallDetectingTransport(client, limit: stallTimeout)
    }

    /// How long requests have been waiting while no byte moves on any of them, or a server has been silent that counts as
    /// stalled; `nil` for neither.
    public var silence: Duration? { transport.silence }

    /// More than a backup beside everything else that an app does: on a slow line who waits for one is given up.
    private static let connections = 64
    private static let shortestIdleTimeout = Duration.seconds(60)

    /// Closes all connections. Calls still under way fail.
    public func close() async { try? await client.shutdown() }
}

extension PhotolalaSession {
    /// Takes up the session that the profile holds, or none.
    /// - Parameters:
    ///   - server: whose account it is.
    ///   - profile: the device.
    ///   - network: one for all sessions of a program.
    ///   - storage: where the tokens are kept: `KeychainSecretStorage` on Apple platforms, `FileSecretStorage` else.
    ///   - deviceName: what to call this device; the kept name or the machine's when left out.
    ///   - bindsSessions: binds the tokens of new sessions to a key that this device makes and keeps (RFC 9449), in the
    ///     Secure Enclave where there is one: stolen tokens are useless elsewhere. A session that is there stays as it is.
    public init(
        server: ServerAddress, profile: ProfileDirectory, storage: any SecretStorage, network: PhotolalaNetwork,
        deviceName: String? = nil, bindsSessions: Bool = true
    ) {
        self.init(
            connection: ServiceConnection(server: server, transport: network.transport), profile: profile,
            storage: storage, deviceName: deviceName, bindsSessions: bindsSessions, now: { Date() }
        )
    }
}

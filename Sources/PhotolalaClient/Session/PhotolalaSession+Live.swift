import Foundation
import PhotolalaAPI
import Transport

/// The SDK's connections over the network; close it when the program needs it no longer.
public struct PhotolalaNetwork: Sendable {
    package let transport: AsyncHTTPTransport

    /// Opens nothing yet; connections come with the first call.
    public init() { transport = AsyncHTTPTransport(connectionsPerHost: Self.connections) }

    /// More than a backup beside everything else that an app does: on a slow line who waits for one is given up.
    private static let connections = 64

    /// Closes all connections. Calls still under way fail.
    public func close() async { try? await transport.shutdown() }
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

import Foundation
import PhotolalaAPI
import Transport

/// The SDK's connections over the network; close it when the program needs it no longer.
public struct PhotolalaNetwork: Sendable {
    package let transport: AsyncHTTPTransport

    /// Opens nothing yet; connections come with the first call.
    public init() { transport = AsyncHTTPTransport() }

    /// Closes all connections. Calls still under way fail.
    public func close() async { try? await transport.shutdown() }
}

extension PhotolalaSession {
    /// Takes up the session that the profile holds, or none.
    /// - Parameters:
    ///   - storage: where the tokens are kept: `KeychainSecretStorage` on Apple platforms, `FileSecretStorage` else.
    ///   - deviceName: what to call this device; the kept name or the machine's when left out.
    public init(
        server: ServerAddress, profile: ProfileDirectory, storage: any SecretStorage, network: PhotolalaNetwork,
        deviceName: String? = nil
    ) {
        self.init(
            connection: ServiceConnection(server: server, transport: network.transport), profile: profile,
            storage: storage, deviceName: deviceName, now: { Date() }
        )
    }
}

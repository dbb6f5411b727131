import Foundation
import PhotolalaClient

extension PhotolalaSession {
    /// Creates a session that invokes the functions to sign in, to sign up, to link, and for storage credentials, and
    /// sends all other calls, such as renewals of tokens, to the server.
    ///
    /// Its tokens are not bound to a key of the device, because an invocation has no DPoP proof. A stored session that is
    /// bound is used with the server only. A call that AWS rejects fails with `embeddedCredentialsRejected`.
    /// - Parameters:
    ///   - server: The function URL or the domain of the same deployment.
    ///   - profile: The device.
    ///   - storage: The storage of the tokens.
    ///   - network: The network, shared by all sessions of a program.
    ///   - functions: The functions to invoke.
    ///   - deviceName: The device's name; by default, the stored name or the machine's.
    public init(
        server: ServerAddress, profile: ProfileDirectory, storage: any SecretStorage, network: PhotolalaNetwork,
        functions: DirectFunctions, deviceName: String? = nil
    ) {
        let transport = FunctionTransport(
            functions, server: server, serverTransport: network.serverTransport, lambda: network.transport
        ) { Date() }
        self.init(
            connection: ServiceConnection(server: server, transport: transport), profile: profile, storage: storage,
            deviceName: deviceName, bindsSessions: false, now: { Date() })
    }
}

import Foundation
import PhotolalaClient
import PhotolalaUI

/// The session with the paired server, and what the screens show of it.
@MainActor
final class Account {
    static let secrets = KeychainSecretStorage(service: "com.example.photolala.demo")

    let session: PhotolalaSession
    let library: PhotolalaLibrary
    let backup: BackupModel
    let welcome: WelcomeModel
    let links: LinkedAccountsModel
    let devices: DevicesModel
    let storage: StorageModel
    let deletion: DeleteAccountModel

    init(_ server: PairedServer) throws(PhotolalaError) {
        // One folder is one device: it has the device's ID and the state of its backups.
        let folder = URL(filePath: NSHomeDirectory()).appending(path: "Library")
        let profile = try ProfileDirectory(folder.appending(path: "Application Support/photolala"))
        let network = PhotolalaNetwork(paired: server)
        let session = PhotolalaSession(
            server: server.address, profile: profile, storage: Self.secrets, network: network)
        self.session = session
        let cache = try PhotoCache(folder: folder.appending(path: "Caches/photos"))
        library = PhotolalaLibrary(session: session, profile: profile, network: network, cache: cache)
        backup = BackupModel(library)

        // The server plays both providers. A real app passes AppleSignIn, and the SDKs of others.
        let context = ScreenContext(
            session: session,
            signIns: [ProviderName.apple, .google].map {
                DevelopmentSignIn(session: session, provider: $0, user: "bob")
            })
        welcome = WelcomeModel(context)
        links = LinkedAccountsModel(context)
        devices = DevicesModel(context)
        // A published app also passes the terms of use and the privacy policy.
        storage = StorageModel(
            context, plans: StoreKitPlanStore(products: ["com.example.photolala.basic.monthly": .basic]))
        deletion = DeleteAccountModel(context.removing { () throws(PhotolalaError) in try await cache.removeAll() })
    }
}

import PhotolalaUI
import SwiftUI

/// Backs up the camera roll to a server in pairing mode.
@main
struct PhotolalaDemoApp: App {
    @State private var pairing = Pairing()

    var body: some Scene {
        WindowGroup { RootView(pairing: pairing) }
            .backgroundTask(.appRefresh(WakeUp.identifier)) { await pairing.backUpInBackground() }
    }
}

/// Pairing, then the welcome screen, then the app.
struct RootView: View {
    let pairing: Pairing

    var body: some View {
        if let account = pairing.account {
            if case .signedIn = account.welcome.state {
                AccountTabs(account: account, pairing: pairing)
            } else {
                VStack {
                    NavigationStack { WelcomeView(account.welcome) }
                    // The server prints another code at each start.
                    Button("Pair again") { pairing.unpair() }
                }
            }
        } else {
            NavigationStack { PairingView(pairing: pairing) }
        }
    }
}

/// The screens of the signed-in account.
struct AccountTabs: View {
    let account: Account
    let pairing: Pairing

    var body: some View {
        TabView {
            NavigationStack { BackupView(backup: account.backup) }
                .tabItem { Label("Backup", systemImage: "arrow.up.circle") }
            NavigationStack { LibraryView(library: account.library) }
                .tabItem { Label("Library", systemImage: "photo.on.rectangle") }
            NavigationStack { SettingsView(account: account, pairing: pairing) }
                .tabItem { Label("Settings", systemImage: "gear") }
        }
    }
}

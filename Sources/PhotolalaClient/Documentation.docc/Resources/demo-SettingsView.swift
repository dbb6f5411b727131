import PhotolalaUI
import SwiftUI

/// The account's screens of PhotolalaUI.
struct SettingsView: View {
    let account: Account

    var body: some View {
        List {
            NavigationLink("Storage") { StorageView(account.storage) }
            NavigationLink("Sign-in methods") { LinkedAccountsView(account.links) }
            NavigationLink("Devices") { DevicesView(account.devices) }
            NavigationLink("Delete account") { DeleteAccountView(account.deletion) }
        }
        .navigationTitle("Settings")
        .onChange(of: isSignedOut) { if isSignedOut { account.welcome.load() } }
    }

    /// Whether a screen has ended the session: the welcome screen follows.
    private var isSignedOut: Bool {
        account.storage.flow.state == .signedOut || account.links.flow.state == .signedOut
            || account.devices.flow.state == .signedOut || account.deletion.flow.state == .signedOut
    }
}

import PhotolalaUI
import SwiftUI

/// The account's screens of PhotolalaUI.
struct SettingsView: View {
    let account: Account
    let pairing: Pairing

    var body: some View {
        List {
            NavigationLink("Storage") { StorageView(account.storage) }
            NavigationLink("Sign-in methods") { LinkedAccountsView(account.links) }
            NavigationLink("Devices") { DevicesView(account.devices) }
            NavigationLink("Delete account") { DeleteAccountView(account.deletion) }
            Button("Pair again") { pairing.unpair() }
        }
        .navigationTitle("Settings")
        .onChange(of: signedOutScreens) { before, now in
            if now > before { account.welcome.load() }
        }
    }

    /// The number of screens that have seen the end of the session: the welcome screen follows.
    private var signedOutScreens: Int {
        [
            account.storage.flow.state == .signedOut, account.links.flow.state == .signedOut,
            account.devices.flow.state == .signedOut, account.deletion.flow.state == .signedOut,
        ].count { $0 }
    }
}

import Foundation
import PhotolalaClient
import Testing

@testable import PhotolalaUI

/// The models of the previews show their example data.
@MainActor
@Suite struct PreviewTests {
    @Test("the screens of the account load")
    func account() async {
        let (links, devices) = (LinkedAccountsModel(.preview), DevicesModel(.preview))
        let (storage, deletion) = (StorageModel(.preview, plans: PreviewPlans()), DeleteAccountModel(.preview))
        links.flow.load()
        devices.flow.load()
        storage.flow.load()
        deletion.flow.load()
        await links.flow.wait()
        await devices.flow.wait()
        await storage.flow.wait()
        await deletion.flow.wait()
        #expect(links.flow.state == .ready && links.links.count == 2)
        #expect(devices.flow.state == .ready && devices.devices.count == 2)
        #expect(storage.flow.state == .ready && storage.upgrades.count == 2 && storage.fullness == .near)
        #expect(deletion.flow.state == .ready && deletion.overview?.undoDays == 14)
    }

    @Test("the welcome screen shows the help after the wrong provider")
    func welcome() async {
        let model = WelcomeModel(.welcomePreview)
        model.load()
        await model.wait()
        model.choose(.signIn)
        model.signIn(with: .google)
        await model.wait()
        #expect(model.state == .noAccount(NoAccountHelp(tried: .google, hints: [.apple], others: [.apple])))
    }

    @Test("the screen of deletion codes shows a scheduled deletion")
    func deletionCodes() async {
        let model = DeletionCodesModel(.preview)
        model.receiptCode = "receipt"
        model.showStatus()
        await model.wait()
        guard case .status(let status) = model.state else {
            Issue.record("no status: \(model.state)")
            return
        }
        #expect(status.state == .scheduled)
    }

    @Test("the screen of migrations shows the selection")
    func migration() async {
        let model = MigrationModel(transfers: PreviewTransfers(), folders: [URL(fileURLWithPath: "/Pictures")])
        model.load()
        await model.wait()
        #expect(model.state == .selecting && model.canEstimate)
    }
}

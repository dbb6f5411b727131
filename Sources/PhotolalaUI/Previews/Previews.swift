import Foundation
import PhotolalaClient

extension ScreenContext {
    /// The context of previews of the account's screens.
    static let preview = preview(PreviewAccount())
    /// The context of the welcome screen's preview.
    static let welcomePreview = preview(PreviewAccount(isSignedIn: false))

    private static func preview(_ account: PreviewAccount) -> ScreenContext {
        ScreenContext(
            account: account, signIns: [ProviderName.apple, .google].map(PreviewSignIn.init), native: .apple,
            now: { Date(timeIntervalSince1970: 1_790_000_000) })
    }
}

/// A provider whose sign-in succeeds.
struct PreviewSignIn: ProviderSignIn {
    let provider: ProviderName

    func authenticate(nonce: String) async throws(PhotolalaError) -> ProviderCredential {
        ProviderCredential(provider: provider, idToken: "token", challenge: nonce)
    }
}

/// An app store whose purchases are closed.
struct PreviewPlans: PlanStore {
    func plans() async throws -> [Plan] {
        [
            Plan(id: "basic", tier: .basic, price: "$1.99 / month"),
            Plan(id: "premium", tier: .premium, price: "$9.99 / month"),
        ]
    }

    func purchase(_ plan: Plan, for user: UserID) async throws -> PlanPurchaseResult { .cancelled }
    func unfinishedPurchases() async -> [PlanPurchase] { [] }
    func restoredPurchases() async throws -> [PlanPurchase] { [] }
}

/// A library without a server.
struct PreviewTransfers: LibraryTransfers {
    private static let unreachable = PhotolalaError(code: .serverUnreachable, detail: "Previews have no server.")

    func migrationStatus() async throws(PhotolalaError) -> LibraryMigrationStatus? { nil }

    func assess(
        _ folders: [URL], where filter: PhotoFilter, progress: @MainActor (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> LibraryMigrationAssessment { throw Self.unreachable }

    func migrate(
        _ assessment: LibraryMigrationAssessment, progress: @MainActor (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> LibraryMigrationReport { throw Self.unreachable }

    func export(
        to file: URL, progress: @MainActor (TransferProgress) -> Void
    ) async throws(PhotolalaError) -> ExportReport { throw Self.unreachable }
}

import Foundation
import ObjectStorage
import PhotolalaAPI

/// Records exports of accounts.
extension AccountDirectory {
    /// Records a new export, which replaces an earlier one.
    /// - Parameter export: The export; `nil` if a device assembles it, which stores nothing here.
    package func recordExport(
        _ export: PreparedExport?, of account: Stored<AccountDocument>, by session: ActingSession
    ) async throws(AccountError) {
        _ = try await change(account, by: session) { (document) throws(AccountError) in
            try document.requireValid(session, at: now())
            if let export { document.export = export }
            try document.audit.append(.init(action: .accountExported, device: session.device, at: now()))
        }
    }

    /// Removes the record of an export, unless another one has replaced it.
    package func removeExport(_ id: ExportID, of account: Stored<AccountDocument>) async throws(AccountError) {
        _ = try await change(account) { document in
            if document.export?.id == id { document.export = nil }
        }
    }
}

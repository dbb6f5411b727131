import Foundation
import PhotolalaAPI

/// Formats what a deletion removes, and its state.
enum DeletionStrings {
    static func notice(_ deletion: AccountDeletion) -> String {
        "This account will be deleted on \(DateText.zonedMinute(deletion.erasesAt)). To keep it:  "
            + "photolala delete-account --cancel"
    }

    /// Returns what is deleted, a line for each fact.
    static func contents(_ overview: DeletionOverview) -> [String] {
        let kinds = StorageStrings.kinds(overview.contents)
        let stored = kinds.isEmpty ? "No photos are stored." : "Deleting the account removes: \(kinds)."
        let subscriptions = overview.subscriptions.map {
            "Apple continues to bill subscription \(Terminal.sanitized($0.originalTransactionID)) "
                + "(\(Terminal.sanitized($0.productID))) until you cancel it:  \(overview.manageSubscriptionsURL)"
        }
        return [stored] + subscriptions
    }

    static func undoPeriod(_ days: Int) -> String {
        days == 0
            ? "A deletion cannot be cancelled."
            : "For \(Counted.text(days, "day")) you can sign in and cancel the deletion."
    }

    static func status(_ status: DeletionStatus) -> String {
        switch status.state {
        case .active: "The account is active. No deletion is scheduled."
        case .scheduled: "Scheduled\(status.erasesAt.map { " for \(DateText.zonedMinute($0))" } ?? "")."
        case .erasing: "The data is being deleted."
        case .completed: "The data was deleted. Signed receipt:\n\(Terminal.sanitized(status.receipt ?? ""))"
        case .nothingStored: "No data is stored for this code."
        default: Terminal.sanitized(status.state.rawValue)
        }
    }
}

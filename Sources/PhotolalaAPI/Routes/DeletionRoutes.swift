extension Route where Body == EmptyBody, Answer == DeletionOverview {
    /// Returns what a deletion of the account removes, and the scheduled deletion.
    public static var deletion: Self { Route(.get, "/account/deletion") }
    /// Cancels the scheduled deletion of the account.
    public static var cancelDeletion: Self { Route(.delete, "/account/deletion") }
}

extension Route where Body == DeletionRequest, Answer == DeletionOverview {
    /// Schedules the deletion of the account and ends all its sessions. Requires recent authentication.
    public static var requestDeletion: Self { Route(.post, "/account/deletion") }
}

extension Route where Body == DeletionUndo, Answer == EmptyBody {
    /// Cancels a scheduled deletion with its undo code, without a sign-in.
    public static var undoDeletion: Self { Route(.post, "/account/deletion/undo") }
}

extension Route where Body == DeletionReceiptRequest, Answer == DeletionStatus {
    /// Returns the state of a deletion and, at its end, the signed receipt. Needs no account.
    public static var deletionReceipt: Self { Route(.post, "/account/deletion/receipt") }
}

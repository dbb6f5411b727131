extension Route where Body == EmptyBody, Answer == ListedSharedLinks {
    /// Returns the account's shared links, with the addresses that open them.
    public static var sharedLinks: Self { Route(.get, "/links") }
}

extension Route where Body == NewSharedLink, Answer == ListedSharedLink {
    /// Creates a link that shows an album or photos.
    public static var createSharedLink: Self { Route(.post, "/links") }
}

extension Route where Body == SharedLinkChange, Answer == ListedSharedLink {
    /// Replaces the options of a shared link.
    public static var changeSharedLink: Self { Route(.put, "/links/{id}") }
}

extension Route where Body == EmptyBody, Answer == EmptyBody {
    /// Deletes a shared link, whose address opens nothing any more.
    public static var deleteSharedLink: Self { Route(.delete, "/links/{id}") }
}

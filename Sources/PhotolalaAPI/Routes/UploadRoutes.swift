extension Route where Body == UploadRequest, Answer == ReservedUpload {
    /// Reserves room for one upload and gives its address.
    public static var reserveUpload: Self { Route(.post, "/uploads") }
}

extension Route where Body == UploadRequests, Answer == ReservedUploads {
    /// The same for several at once.
    public static var reserveUploads: Self { Route(.post, "/uploads/batch") }
}

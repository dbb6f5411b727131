extension Route where Body == NewPhotos, Answer == AddedPhotos {
    /// Adds uploaded photos to the library.
    public static var addPhotos: Self { Route(.post, "/photos") }
}

extension Route where Body == EmptyBody, Answer == PhotoPage {
    /// Returns photos of the library, newest first.
    public static var listPhotos: Self { Route(.get, "/photos") }
}

extension Route where Body == EmptyBody, Answer == PhotoOriginal {
    /// Returns a photo and the address of its original.
    public static var photo: Self { Route(.get, "/photos/original") }
}

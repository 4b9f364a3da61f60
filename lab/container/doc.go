// Package container runs a container as a process: new mount, process and
// host-name namespaces, a root folder of its own with the machine's programs
// bound read-only into it, the volumes, and then the container's own command in
// place of the process that prepared all this.
//
// An image is only a name here: the programs come from the machine and from the
// lab's folder of programs. The network is that of the host, because all that
// the lab runs uses the host's network. Security contexts and limits are not
// applied.
package container
